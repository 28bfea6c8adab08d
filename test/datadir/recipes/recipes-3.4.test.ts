// Every kind of damage on data directories of etcd 3.4: what is found, and what the real server did with it.
import { testRecipes } from './recipes.ts';

testRecipes('3.4.23');
