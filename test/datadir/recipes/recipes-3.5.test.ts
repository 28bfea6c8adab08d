// Every kind of damage on data directories of etcd 3.5: what is found, and what the real server did with it.
import { testRecipes } from './recipes.ts';

testRecipes('3.5.33');
